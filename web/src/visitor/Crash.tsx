/** The last resort for a page that fails to render, with a button to reload. */
export function Crash({ message, tryAgain }: { message: string; tryAgain: string }) {
  return (
    <main className="narrow">
      <h1>{message}</h1>
      <button type="button" className="primary" onClick={() => location.reload()}>
        {tryAgain}
      </button>
    </main>
  );
}
