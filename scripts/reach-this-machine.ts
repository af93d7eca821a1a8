import { allowPrivateNetworks } from "@leadline/adapter-kit/outbound/private-networks";

/** The tests' peers are on this machine; an operator with a PBX on the network sets PRIVATE_NETWORKS. */
allowPrivateNetworks(["127.0.0.0/8", "::1"]);
