// Lines that were laid out and painted before, drawn unchanged.
import { Text } from 'ink'
import { written } from '../paint.ts'

export const Painted = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line, at) => (
      // Lines have no identity except their position.
      <Text key={at} wrap="truncate">
        {written(line) || ' '}
      </Text>
    ))}
  </>
)
