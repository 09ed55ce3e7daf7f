// A button that is disabled for some seconds after it was pressed, and counts them down.
import type { ReactNode } from 'react'
import type { ButtonProps } from '@douyinfe/semi-ui/lib/es/button'
import { useAction } from '../../data/use-endpoint.ts'
import { useCountdown } from '../../data/use-countdown.ts'
import { Button } from '../../semi.ts'

interface Props extends Omit<ButtonProps, 'onClick' | 'children'> {
  /** Length of the pause. The specification sets 30 for codes and resets. */
  seconds?: number
  children: ReactNode
  /** The label during the pause. */
  resting(left: number): string
  /** The pause starts unless this resolves to false or throws. */
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
