/** "IP addresses and ports: Elastic SIP Trunking", Twilio's documentation: where its calls come from, in every region. */
export const signallingNetworks = [
  "54.172.60.0/30",
  "54.244.51.0/30",
  "54.171.127.192/30",
  "35.156.191.128/30",
  "54.65.63.192/30",
  "54.169.127.128/30",
  "54.252.254.64/30",
  "177.71.206.192/30",
];
