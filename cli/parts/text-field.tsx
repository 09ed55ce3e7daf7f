// A text field with its cursor; a secret one shows a dot for each character.
import { Line } from './line.tsx'

/** Draws the field; `at` is the position of the cursor. */
export function TextField({
  text,
  at,
  masked,
  hint,
}: {
  text: readonly string[]
  at: number
  masked: boolean
  hint?: string
}) {
  const shown = masked ? text.map(() => '•') : text
  return (
    <Line>
      {shown.slice(0, at).join('')}
      <Line inverse>{shown[at] ?? ' '}</Line>
      {shown.slice(at + 1).join('')}
      {text.length === 0 && hint ? <Line dimColor> {hint}</Line> : null}
    </Line>
  )
}
