// A select with a name that assistive technology can read: Semi UI's own says only "selected".
import { useId } from 'react'
import type { SelectProps } from '@douyinfe/semi-ui/lib/es/select'
import { Select } from '../semi.ts'

export function Choice({ label, ...select }: SelectProps & { label: string }) {
  const id = useId()
  return (
    <>
      <span id={id} hidden>
        {label}
      </span>
      <Select {...select} aria-labelledby={id} />
    </>
  )
}
