// Rows in columns inside a screen; the widths come from the same place as those of printed tables.
import { Box, Text } from 'ink'
import { tableLines } from '../table.ts'

/** Draws a table with one marked row (none with -1). */
export function Table({
  titles,
  rows,
  marked = -1,
  width,
}: {
  titles: string[]
  rows: string[][]
  marked?: number
  width?: number
}) {
  const [head = '', ...lines] = tableLines({
    titles,
    rows: rows.map((cells) => cells.map((text) => ({ text }))),
    width,
    paint: (text) => text,
  })
  return (
    <Box flexDirection="column">
      <Text dimColor wrap="truncate">
        {head}
      </Text>
      {lines.map((line, at) => (
        <Text key={at} inverse={at === marked} wrap="truncate">
          {line}
        </Text>
      ))}
    </Box>
  )
}
