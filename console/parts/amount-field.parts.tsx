import { useState } from 'react'
import { definePreviews } from '../parts-page/states.ts'
import { AmountField } from './amount-field.tsx'

function Typed({ picks, disabled }: { picks?: number[]; disabled?: boolean }) {
  const [value, setValue] = useState(500_000)
  return <AmountField field="quota" label="Quota" value={value} onChange={setValue} picks={picks} disabled={disabled} />
}

export const previews = definePreviews({
  plain: () => <Typed />,
  'with quick picks': () => <Typed picks={[100_000, 500_000, 5_000_000]} />,
  disabled: () => <Typed picks={[500_000]} disabled />,
})
