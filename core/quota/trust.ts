// Whom to trust with a call that is dearer than what is left: an operator's rule, off unless set.

/** `multiple`: more than `factor` times the hold is left. `absolute`: more than `quota` units are left. */
export type TrustRule = { kind: 'off' } | { kind: 'multiple'; factor: number } | { kind: 'absolute'; quota: number }

/** What is left, calls in flight taken off; `token` is null where the token is unlimited or there is none. */
export interface Left {
  user: number
  token: number | null
}

/**
 * May a call be made without its hold being covered? All strictly more (billing reference, section 2). What trusted
 * calls hold stays counted while they run, so each of them brings the balance nearer to the rule's limit and parallel
 * calls cannot all pass at the same figure.
 */
export function trusts(rule: TrustRule, hold: number, left: Left): boolean {
  if (rule.kind === 'off') return false
  const limit = rule.kind === 'multiple' ? rule.factor * hold : rule.quota
  return left.user > limit && (left.token === null || left.token > limit)
}
