// The first letter of a name in a circle. It is decoration: the name is next to it.
import { hashedColor } from './tags.tsx'

export const Avatar = ({ name, small }: { name: string; small?: boolean }) => (
  <span
    aria-hidden="true"
    className={`avatar${small ? ' avatar-small' : ''}`}
    style={{ background: `rgb(var(--semi-${hashedColor(name)}-2))`, color: `rgb(var(--semi-${hashedColor(name)}-8))` }}
  >
    {[...name][0]?.toUpperCase()}
  </span>
)
