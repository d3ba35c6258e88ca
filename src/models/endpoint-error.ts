/** An endpoint that stays away, or refuses for good: the run is interrupted and can be resumed. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
}
