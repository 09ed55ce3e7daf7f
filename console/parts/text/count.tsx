// A count in few letters, with all of its digits in the tip.
import { useFormat } from '../../data/use-format.ts'

export function CountText({ value }: { value: number }) {
  const format = useFormat()
  const [short, whole] = [format.shortNumber(value), format.number(value)]
  return (
    <span className="number" data-tip={short === whole ? undefined : whole}>
      {short}
    </span>
  )
}
