// Yes or no, the marked one is taken by Enter.
import { Line } from './line.tsx'

/** Draws the two answers; `picked` 0 is yes. */
export function Confirm({ picked }: { picked: number }) {
  return (
    <Line>
      {['Yes', 'No'].map((word, at) => (
        <Line key={word} inverse={at === picked}>
          {at === picked ? `[${word}]` : ` ${word} `}
        </Line>
      ))}
      <Line dimColor> y / n</Line>
    </Line>
  )
}
