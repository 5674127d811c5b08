import { UserError, type Wording } from '../core/index.js'

/** Why a site does not do what it was asked, by the kind of the mistake. */
export type RefusalKind = 'invalid' | 'unknown' | 'unauthorized' | 'forbidden' | 'conflict' | 'too-large' | 'too-many'

/** A mistake in a request to the site: the message says what is wrong and what to do, and holds nothing of the host's. */
export class Refusal extends UserError {
  constructor(
    readonly kind: RefusalKind,
    text: Wording,
    /** More for programs: the line of a contest file, seconds to wait. */
    readonly detail: Readonly<Record<string, string | number>> = {},
  ) {
    super(text)
  }
}
