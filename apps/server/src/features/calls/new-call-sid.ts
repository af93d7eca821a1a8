import { randomUUID } from "node:crypto";

export const newCallSid = (): string => `CA${randomUUID().replaceAll("-", "")}`;
