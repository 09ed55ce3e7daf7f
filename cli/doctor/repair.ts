// `weir doctor --fix`: runs the repairs that findings declare, each after a question, and reports the results.
import { fillTemplate, joinTexts, toWords } from '../../core/errors.ts'
import type { CommandEnvironment } from '../command.ts'
import { toCliFailure, UsageError } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { DOCTOR_CHECKS, isSameFinding, type DoctorFinding } from './check.ts'
import { words } from '../texts.ts'

const QUESTION = words('{check}: {found}. Shall I {what}?')
const NOT_DONE = words('{check}: could not {what}: {why}')
const MUST_BE_SURE = words('--fix needs --yes: no terminal is available to ask on.')

/** @throws UsageError if no person can be asked and --yes was not given */
export function requireAnswers({ ask }: Pick<CommandEnvironment, 'ask'>, yes: boolean): void {
  if (!yes && !ask.possible) throw new UsageError(MUST_BE_SURE)
}

/** Runs the repairs. Returns the findings for which a repair was tried. */
export async function repairAll(
  { ask, print, language }: Pick<CommandEnvironment, 'ask' | 'print' | 'language'>,
  findings: readonly DoctorFinding[],
  yes: boolean,
): Promise<DoctorFinding[]> {
  const tried: DoctorFinding[] = []
  for (const finding of findings) {
    const { check, about, found, repair } = finding
    if (!repair) continue
    const { what } = repair
    const name = getFindingName({ check, about })
    if (!yes && !(await ask.confirm(fillTemplate(QUESTION, { check: name, found, what })))) continue
    tried.push(finding)
    try {
      await ask.during(what, repair.run())
    } catch (error) {
      const why = toCliFailure(error, language)?.message ?? String(error)
      print.warn(fillTemplate(NOT_DONE, { check: name, what, why: asUntranslatedText(why) }))
    }
  }
  return tried
}

/** Combines the findings after the repairs with the result of each repair. */
export function combineAfterRepairs(now: readonly DoctorFinding[], tried: readonly DoctorFinding[]): DoctorFinding[] {
  const known = now.map((finding) =>
    tried.some((one) => isSameFinding(one, finding)) ? { ...finding, fixed: finding.state === 'ok' } : finding,
  )
  // A finding that exists only while something is wrong has disappeared.
  const gone = tried.filter((one) => !now.some((finding) => isSameFinding(one, finding)))
  return [
    ...known,
    ...gone.map(({ check, about, repair }) => ({
      check,
      about,
      state: 'ok' as const,
      fixed: true,
      found: fillTemplate(DONE, { what: repair?.what ?? asUntranslatedText('') }),
    })),
  ]
}

const DONE = words('done: {what}')

/** Returns the display name of a finding. */
export const getFindingName = ({ check, about }: Pick<DoctorFinding, 'check' | 'about'>) => {
  return joinTexts([DOCTOR_CHECKS[check], ...(about === undefined ? [] : [about])], toWords(' '))
}
