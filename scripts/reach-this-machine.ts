import { networkInterfaces } from "node:os";
import { allowPrivateNetworks } from "@leadline/adapter-kit/outbound/private-networks";

/** The tests' peers are on this machine; an operator with a PBX on the network sets PRIVATE_NETWORKS. */
const ownAddresses = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
allowPrivateNetworks(["127.0.0.0/8", "::1", ...ownAddresses.filter((address) => !address.includes("%"))]);
