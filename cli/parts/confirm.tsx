// A yes-or-no choice; Enter takes the marked answer.
import { words } from '../../core/errors.ts'
import { Line } from './line.tsx'
import { useSay } from './speaking.ts'

const ANSWERS = [words('Yes', '是'), words('No', '否')]

/** Draws the two answers; `picked` 0 is yes. */
export function Confirm({ picked }: { picked: number }) {
  const say = useSay()
  return (
    <Line>
      {ANSWERS.map(say).map((word, at) => (
        <Line key={word} inverse={at === picked}>
          {at === picked ? `[${word}]` : ` ${word} `}
        </Line>
      ))}
      <Line dimColor> y / n</Line>
    </Line>
  )
}
