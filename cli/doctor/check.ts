// One line of a diagnosis.

export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  found: string
  /** What to do about it. */
  fix?: string
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found })
export const warn = (check: string, found: string, fix: string): Finding => ({ check, state: 'warn', found, fix })
/** `fix` may be empty where `found` says it all. */
export const failed = (check: string, found: string, fix: string): Finding => ({ check, state: 'fail', found, fix })
