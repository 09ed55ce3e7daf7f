// The only component that draws text, so that nothing in a name or an answer can move the cursor, change colours or
// hide text.
import { Text, type TextProps } from 'ink'
import { Children } from 'react'
import { escapeControls } from '../../core/logs/visible.ts'

/** Draws text with Ink, with hidden characters made visible. */
export const Line = ({ children, ...more }: TextProps) => (
  <Text {...more}>
    {Children.map(children, (child) => (typeof child === 'string' ? escapeControls(child) : child))}
  </Text>
)
