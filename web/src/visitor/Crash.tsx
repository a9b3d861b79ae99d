import { Component, type ReactNode } from 'react';

interface CrashProps {
  message: string;
  tryAgain: string;
  children: ReactNode;
}

/** The last resort for a page that fails to render, with a button to reload. */
export class Crash extends Component<CrashProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <main className="narrow">
        <h1>{this.props.message}</h1>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {this.props.tryAgain}
        </button>
      </main>
    );
  }
}
