// What calls ask for: as a filter, and as the tag in a row.
import { OPERATIONS, type Operation } from '../../../core/models/operation.ts'
import { useTexts } from '../../data/texts.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Tag } from '../../semi.ts'
import { words } from './texts.ts'

/** The operation that an address or a row names; empty for none that is known. */
export const operationOf = (text: string): Operation | '' => OPERATIONS.find((name) => name === text) ?? ''

export function OperationSelect({ value, onChange }: { value: string; onChange(operation: string): void }) {
  const t = useTexts(words)
  return (
    <Choice
      label={t.operation}
      value={operationOf(value)}
      onChange={(operation) => onChange(String(operation))}
      optionList={[
        { value: '', label: t.allOperations },
        ...OPERATIONS.map((name) => ({ value: name, label: t[name] })),
      ]}
    />
  )
}

export function OperationTag({ operation }: { operation: string }) {
  const t = useTexts(words)
  const name = operationOf(operation)
  return <Tag color="white">{name ? t[name] : operation}</Tag>
}
