/** A phone built as in JsSIP's own documentation; runs in the page, whose address names the gateway and its tuning. */
import { UA, WebSocketInterface } from "jssip";

const options = new URLSearchParams(location.search);
const isTuned = options.get("tuned") !== null;
const buttonOf = (name: string): HTMLButtonElement => {
  const button = document.createElement("button");
  button.textContent = name;
  button.disabled = true;
  return document.body.appendChild(button);
};
const number = document.body.appendChild(document.createElement("input"));
number.setAttribute("aria-label", "Phone number");
const call = buttonOf("Call");
const hangUp = buttonOf("Hang up");
const sound = document.body.appendChild(document.createElement("audio"));
sound.autoplay = true;

// Requested once, so that no call waits for permission. A tuned phone keeps it open.
const microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
if (!isTuned) for (const track of microphone.getTracks()) track.stop();

const agent = new UA({
  sockets: [new WebSocketInterface(`ws://${options.get("gateway")}`)],
  uri: "sip:agent@leadline.test",
});
agent.on("registered", () => (call.disabled = false));
agent.start();

call.addEventListener("click", () => {
  call.disabled = true;
  const over = (): void => {
    hangUp.disabled = true;
    call.disabled = false;
  };
  const session = agent.call(`sip:${number.value}@leadline.test`, {
    mediaConstraints: { audio: true, video: false },
    ...(isTuned && { mediaStream: microphone }),
    eventHandlers: {
      peerconnection: ({ peerconnection }) =>
        peerconnection.addEventListener("track", ({ streams }) => (sound.srcObject = streams[0] ?? null)),
      // Without this, JsSIP waits until all candidates are gathered.
      ...(isTuned && { icecandidate: ({ ready }: { ready: () => void }) => ready() }),
      accepted: () => (hangUp.disabled = false),
      ended: over,
      failed: over,
    },
  });
  hangUp.addEventListener("click", () => session.terminate(), { once: true });
});
