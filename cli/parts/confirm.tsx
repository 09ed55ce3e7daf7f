// Yes or no, the marked one is taken by Enter.
import { Text } from 'ink'

/** Draws the two answers; `picked` 0 is yes. */
export function Confirm({ picked }: { picked: number }) {
  return (
    <Text>
      {['Yes', 'No'].map((word, at) => (
        <Text key={word} inverse={at === picked}>
          {at === picked ? `[${word}]` : ` ${word} `}
        </Text>
      ))}
      <Text dimColor> y / n</Text>
    </Text>
  )
}
