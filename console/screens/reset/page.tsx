// A forgotten password: the link is asked for at one address, and leads to the other.
import { useLocation } from 'react-router'
import { Confirm } from './confirm.tsx'
import { Request } from './request.tsx'

export const Page = () => (useLocation().pathname.startsWith('/user/') ? <Confirm /> : <Request />)
