// The operation of calls, as the tag in a row.
import { OPERATIONS, type Operation } from '../../../core/models/operation.ts'
import { useTexts } from '../../data/texts.tsx'
import { words } from './texts.ts'

/** Returns the operation that an address or a row names; empty for an unknown one. */
export const parseOperation = (text: string): Operation | '' => OPERATIONS.find((name) => name === text) ?? ''

export function OperationName({ operation }: { operation: string }) {
  const t = useTexts(words)
  const name = parseOperation(operation)
  return name ? t[name] : operation
}
