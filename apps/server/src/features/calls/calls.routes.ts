import { setCallDisposition as dispositionEndpoint } from "@leadline/contract/call-disposition";
import {
  answerCall as answerEndpoint,
  attachCallMedia as attachEndpoint,
  declineCall as declineEndpoint,
  getCall,
  hangUpCall as hangUpEndpoint,
  listCalls as listEndpoint,
  sendCallDigits as digitsEndpoint,
  sendCallToVoicemail as toVoicemailEndpoint,
  startCall as startEndpoint,
  updateCall as updateEndpoint,
} from "@leadline/contract/calls";
import {
  completeTransfer as completeEndpoint,
  consultInCall as consultEndpoint,
  joinCalls as joinEndpoint,
  listTeammates as teammatesEndpoint,
  takeBackCall as takeBackEndpoint,
  transferCall as transferEndpoint,
} from "@leadline/contract/transfers";
import { route } from "../../http/route.ts";
import { answerCall } from "./inbound/answer-call.ts";
import { attachCallMedia } from "./in-call/attach-call-media.ts";
import type { CallDeps } from "./call-deps.ts";
import { completeTransfer } from "./second-line/complete-transfer.ts";
import { consultInCall } from "./second-line/consult-in-call.ts";
import { declineCall } from "./inbound/decline-call.ts";
import type { Owners } from "./in-call/find-owning-process.ts";
import { readCall } from "./log/get-call.ts";
import { hangUpCall } from "./in-call/hang-up-call.ts";
import { joinCalls } from "./second-line/join-calls.ts";
import { listTeammates } from "./second-line/list-teammates.ts";
import { listCalls } from "./log/list-calls.ts";
import { sendCallDigits } from "./in-call/send-call-digits.ts";
import { sendCallToVoicemail } from "./inbound/send-call-to-voicemail.ts";
import { setCallDisposition } from "./log/set-call-disposition.ts";
import { startCall } from "./outbound/start-call.ts";
import { transferToNumber } from "./second-line/transfer-to-number.ts";
import { takeBackCall, transferToTeammate } from "./second-line/transfer-to-teammate.ts";
import { updateCall } from "./in-call/update-call.ts";

/** Routes for state in a process's memory: each request is forwarded to the process that carries the call. */
const carriedRoutes = (deps: CallDeps, owners: Owners) => {
  const ofCall = { owner: owners.ofCall };
  return [
    route(
      attachEndpoint,
      async ({ caller, params, body }) => attachCallMedia(deps, { caller, callSid: params.callSid, media: body }),
      ofCall,
    ),
    route(
      answerEndpoint,
      async ({ caller, params, body }) => answerCall(deps, { caller, callSid: params.callSid, media: body }),
      ofCall,
    ),
    route(
      declineEndpoint,
      async ({ caller, params }) => {
        await declineCall(deps, { caller, callSid: params.callSid });
        return undefined;
      },
      ofCall,
    ),
    route(
      toVoicemailEndpoint,
      async ({ caller, params }) => {
        await sendCallToVoicemail(deps, { caller, callSid: params.callSid });
        return undefined;
      },
      ofCall,
    ),
    route(hangUpEndpoint, async ({ caller, params }) => hangUpCall(deps, { caller, callSid: params.callSid }), ofCall),
    route(
      transferEndpoint,
      async ({ caller, params: { callSid }, body: { phoneNumber = "", userId, ...asked } }) =>
        userId === undefined
          ? transferToNumber(deps, { caller, callSid, phoneNumber, ...asked })
          : transferToTeammate(deps, { caller, callSid, userId }),
      ofCall,
    ),
    route(
      takeBackEndpoint,
      async ({ caller, params }) => {
        await takeBackCall(deps, { caller, callSid: params.callSid });
        return undefined;
      },
      ofCall,
    ),
    route(
      consultEndpoint,
      async ({ caller, params, body }) => consultInCall(deps, { caller, callSid: params.callSid, body }),
      ofCall,
    ),
    route(joinEndpoint, async ({ caller, params }) => joinCalls(deps, { caller, callSid: params.callSid }), ofCall),
    route(
      completeEndpoint,
      async ({ caller, params }) => completeTransfer(deps, { caller, callSid: params.callSid }),
      ofCall,
    ),
    route(
      digitsEndpoint,
      async ({ caller, params, body }) => {
        await sendCallDigits(deps, { caller, callSid: params.callSid, digits: body.digits });
        return undefined;
      },
      ofCall,
    ),
    route(
      updateEndpoint,
      async ({ caller, params, body }) => updateCall(deps, { caller, callSid: params.callSid, change: body }),
      ofCall,
    ),
  ];
};

export const callRoutes = (deps: CallDeps, owners: Owners) => [
  ...carriedRoutes(deps, owners),
  route(teammatesEndpoint, ({ caller }) => listTeammates(deps, caller)),
  route(
    startEndpoint,
    async ({ caller, body, headers }) =>
      startCall(deps, { caller, body, idempotencyKey: headers["idempotency-key"] ?? null }),
    { owner: ({ caller, body }) => owners.ofConnection(caller, body.mediaConnectionId) },
  ),
  route(dispositionEndpoint, async ({ caller, params, body }) =>
    setCallDisposition(deps, { caller, callSid: params.callSid, disposition: body }),
  ),
  route(getCall, async ({ caller, params }) => readCall(deps, { caller, callSid: params.callSid })),
  route(listEndpoint, async ({ caller, query, reply }) => {
    const { calls, next } = await listCalls(deps, { caller, query });
    if (next !== null) reply.header("link", `</api/v1/calls?${next}>; rel="next"`);
    return calls;
  }),
];
