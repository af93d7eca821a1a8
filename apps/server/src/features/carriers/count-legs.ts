import type { Carrier } from "@leadline/adapter-kit/carrier";

/** The same carrier, which once retired closes as soon as no call goes through it any more. */
export function countLegs(opening: Promise<Carrier>): { carrier: Promise<Carrier>; retire(): Promise<void> } {
  let legs = 0;
  let retired = false;

  async function closeIfIdle(): Promise<void> {
    if (retired && legs === 0) await opening.then((carrier) => carrier.close()).catch(() => undefined);
  }

  const counted = opening.then((carrier): Carrier => ({
    ...carrier,
    async dial(request) {
      legs++;
      let over = false;
      const end = (): void => {
        if (over) return;
        over = true;
        legs--;
        void closeIfIdle();
      };
      try {
        const leg = await carrier.dial({
          ...request,
          onEvent(event) {
            request.onEvent(event);
            if (event.type === "ended") end();
          },
        });
        return {
          ...leg,
          async hangUp() {
            await leg.hangUp();
            end();
          },
        };
      } catch (error) {
        end();
        throw error;
      }
    },
  }));
  return {
    carrier: counted,
    retire() {
      retired = true;
      return closeIfIdle();
    },
  };
}
