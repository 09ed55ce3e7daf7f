// Text on the screen: the one place that draws any, so that nothing in a name or an answer moves, colours or hides.
import { Text, type TextProps } from 'ink'
import { Children } from 'react'
import { escapeControls } from '../../core/logs/visible.ts'

/** Ink's text, with what is hidden in it shown. */
export const Line = ({ children, ...more }: TextProps) => (
  <Text {...more}>
    {Children.map(children, (child) => (typeof child === 'string' ? escapeControls(child) : child))}
  </Text>
)
