export { joinCommand, limitIn, optionChanges, refuseLimit } from '../contest/index.js'
