/** Both in PEM. */
export interface OwnCertificate {
  key: string;
  certificate: string;
}

const validMs = 20 * 365 * 24 * 60 * 60_000;

/** A self-signed certificate for an IP address: its own authority. */
export async function makeOwnCertificate(address: string): Promise<OwnCertificate> {
  // Loaded only for a new certificate: a sandbox keeps its own.
  const x509 = await import("@peculiar/x509");
  const { subtle } = crypto;
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${address}`,
      notAfter: new Date(Date.now() + validMs),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true),
        new x509.SubjectAlternativeNameExtension([{ type: "ip", value: address }]),
      ],
    },
    crypto,
  );
  const key = x509.PemConverter.encode(await subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { key, certificate: certificate.toString("pem") };
}
