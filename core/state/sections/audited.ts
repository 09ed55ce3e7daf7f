import { toAuditAuthor } from '../../audit/audit.ts'
import { seconds } from '../../ports/clock.ts'
import type { SectionPorts } from '../section.ts'

/** Writes a row of the audit for what is done with a thing of that noun. */
export const writeSectionAudit =
  (noun: string, { within, caller, clock }: Pick<SectionPorts, 'within' | 'caller' | 'clock'>) =>
  (verb: string, target: string | number, before: object | null = null, after: object | null = null): Promise<void> =>
    within.audit.insert([
      {
        ...toAuditAuthor(caller),
        created_at: seconds(clock),
        action: `${noun}.${verb}`,
        target: String(target),
        before: before ? JSON.stringify(before) : '',
        after: after ? JSON.stringify(after) : '',
      },
    ])
