// A button that rests for some seconds after it was pressed, and counts them.
import type { ReactNode } from 'react'
import type { ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { useAction } from '../data/use-endpoint.ts'
import { useCountdown } from '../data/use-countdown.ts'
import { Button } from '../semi.ts'

interface Props extends Omit<ButtonProps, 'onClick' | 'children'> {
  /** How long it rests. The specification's codes and resets: 30. */
  seconds?: number
  children: ReactNode
  /** What it says while it rests. */
  resting(left: number): string
  /** It rests unless this ends with false, or a call of it fails. */
  run(): Promise<boolean | void>
}

export function CountdownButton({ seconds = 30, children, resting, run, disabled, ...button }: Props) {
  const [left, begin] = useCountdown(seconds)
  const [act, busy] = useAction(async () => {
    if ((await run()) !== false) begin()
  })
  return (
    <Button {...button} loading={busy} disabled={disabled || left > 0} onClick={() => void act()}>
      {left > 0 ? resting(left) : children}
    </Button>
  )
}
