// The files that are mutated: the rules of money, routing and translation.
import { sources } from '../support/sources.ts'

export const isTarget = (file: string): boolean =>
  /^core\/(pricing|quota|channels|relay|dialects)\/.*(?<!\.data)\.ts$/.test(file)

export const listTargets = (): string[] => sources.filter(isTarget)
