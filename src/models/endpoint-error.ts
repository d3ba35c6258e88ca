/** An endpoint that stays away, or refuses for good: the run ends interrupted. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
}
