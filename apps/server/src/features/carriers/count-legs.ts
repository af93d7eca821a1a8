import type { Carrier, CarrierLeg, CarrierLegEvent, HangUpNotice, InboundCall } from "@leadline/adapter-kit/carrier";
import { usePermit } from "./channels/dial-permits.ts";
import type { DiallingCarrier, DiallingLeg } from "./channels/dialling-carrier.ts";

type OnEvent = (event: CarrierLegEvent) => void;

/** The same carrier, which calls no number without a permit. Once retired, it closes when its last call has ended. */
export function countLegs(
  carrierId: string,
  opening: Promise<Carrier>,
): {
  carrier: Promise<DiallingCarrier>;
  /** Counts an inbound call through it from its answer. */
  countInbound(call: InboundCall): InboundCall;
  retire(): Promise<void>;
  /** Cancels the closing. False if it has already closed. */
  stay(): boolean;
} {
  let legs = 0;
  let retired = false;
  let closed = false;

  async function closeIfIdle(): Promise<void> {
    if (!retired || legs > 0) return;
    closed = true;
    await opening.then((carrier) => carrier.close()).catch(() => undefined);
  }

  async function count(onEvent: OnEvent, begin: (counted: OnEvent) => Promise<CarrierLeg>) {
    legs++;
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      legs--;
      void closeIfIdle();
    };
    try {
      const leg = await begin((event) => {
        onEvent(event);
        if (event.type === "ended") end();
      });
      const { leave, transfer } = leg;
      return {
        ...leg,
        ...(transfer && {
          transfer(request: Parameters<NonNullable<DiallingLeg["transfer"]>>[0]) {
            if (typeof request.to === "string") usePermit("permit" in request ? request.permit : null, carrierId);
            transfer(request);
          },
        }),
        ...(leave && {
          leave() {
            leave();
            end();
          },
        }),
        async hangUp(why?: HangUpNotice) {
          await leg.hangUp(why);
          end();
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    carrier: opening.then((carrier) => ({
      ...carrier,
      async dial({ permit, ...request }) {
        usePermit(permit, carrierId);
        const { again: mayRedial } = permit;
        const permitted = { ...request, ...(mayRedial && { mayRedial }) };
        return count(request.onEvent, (onEvent) => carrier.dial({ ...permitted, onEvent }));
      },
      ...(carrier.resume && {
        resume: (request) =>
          count(request.onEvent, (onEvent) =>
            carrier.resume ? carrier.resume({ ...request, onEvent }) : Promise.reject(new Error("It resumes no legs.")),
          ),
      }),
    })),
    countInbound: (call) => ({
      ...call,
      answer: (taken) => count(taken.onEvent, (onEvent) => call.answer({ ...taken, onEvent })),
    }),
    retire() {
      retired = true;
      return closeIfIdle();
    },
    stay() {
      if (!closed) retired = false;
      return !closed;
    },
  };
}
