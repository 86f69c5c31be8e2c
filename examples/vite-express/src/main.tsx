import { createRoot } from 'react-dom/client';
import { AgeGate } from './AgeGate';
import { decide } from './decide';

const root = document.getElementById('root');
// In place of customer-42, use the ID of the customer who is signed in.
if (root) createRoot(root).render(<AgeGate customerId="customer-42" decide={decide} />);
