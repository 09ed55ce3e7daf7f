// Lines that were laid out and painted before, drawn unchanged.
import { Text } from 'ink'
import { toPrintedText } from '../output/paint.ts'

export const PaintedLines = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line, at) => (
      // Lines have no identity except their position.
      <Text key={at} wrap="truncate">
        {toPrintedText(line) || ' '}
      </Text>
    ))}
  </>
)
