declare module "unbzip2-stream" {
  /** A stream of the old kind: what is written to it as bzip2 comes out unpacked. */
  export default function unbzip2(): NodeJS.ReadWriteStream;
}
