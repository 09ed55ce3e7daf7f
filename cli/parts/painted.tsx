// Lines that were laid out and painted before: drawn as they are, with nothing hidden in them.
import { Text } from 'ink'
import { written } from '../paint.ts'

export const Painted = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line, at) => (
      // Lines have no identity but their place.
      <Text key={at} wrap="truncate">
        {written(line) || ' '}
      </Text>
    ))}
  </>
)
