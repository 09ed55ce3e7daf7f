// A turning sign beside words, while something takes its time.
import { Spinner } from '@inkjs/ui'

/** Draws the sign. */
export const Working = ({ label }: { label: string }) => <Spinner label={label} />
