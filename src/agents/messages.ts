import type { MessageKind } from "../trace/facts.ts";
import type { Environment } from "./environment.ts";

/** What agents exchange: stamped with the virtual time it was sent at, numbered within its query. */
export interface Message {
  readonly id: string;
  readonly query: string;
  readonly sentMs: number;
  readonly from: string;
  readonly to: string;
  readonly kind: MessageKind;
  readonly inReplyTo?: string;
}

/** The messages of one query. Their ids are `<query>/<n>`, so that no other query can shift them. */
export class Conversation {
  readonly query: string;
  readonly #environment: Environment;
  #count = 0;

  constructor(environment: Environment, query: string) {
    this.#environment = environment;
    this.query = query;
  }

  /**
   * Sends a message: a fact now, another when it arrives. `deliver` runs on arrival, and never before this returns,
   * unless the message is handed over at once.
   * @param transitMs the time on the way, given the message's id; null hands it over
   */
  send(
    head: { from: string; to: string; kind: MessageKind; inReplyTo?: string },
    transitMs: ((message: string) => number) | null,
    deliver: (message: Message) => void,
  ): Message {
    const { facts, kernel } = this.#environment;
    const id = `${this.query}/${++this.#count}`;
    const { from, to, kind } = head;
    const message: Message = { id, query: this.query, sentMs: kernel.now, ...head };
    const inReplyTo = head.inReplyTo === undefined ? {} : { inReplyTo: head.inReplyTo };
    facts.state({ type: "message.sent", message: id, query: this.query, from, to, kind, ...inReplyTo });
    const arrive = (): void => {
      facts.state({ type: "message.received", message: id, query: this.query, from, to, kind });
      deliver(message);
    };
    if (transitMs === null) arrive();
    else kernel.after(transitMs(id), arrive);
    return message;
  }
}
