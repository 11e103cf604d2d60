using Orleans.Transactions.Abstractions;

namespace Polyjuice.Testing.Tests.Histories;

/// <summary>What an engine does wrong.</summary>
public enum Mistake
{
    /// <summary>Each update is built on the initial version.</summary>
    StaleUpdate,

    /// <summary>Reads see the last write, whatever has become of its transaction.</summary>
    KeepsAborted,
}

/// <summary>Makes states that do something wrong, of those that an engine makes.</summary>
internal sealed class MistakenStateFactory(
    ITransactionalStateFactory inner, Mistake mistake) : ITransactionalStateFactory
{
    public ITransactionalState<TState> Create<TState>(TransactionalStateConfiguration config)
        where TState : class, new() => new MistakenState<TState>(inner.Create<TState>(config), mistake);

    private sealed class MistakenState<TState>(
        ITransactionalState<TState> inner, Mistake mistake) : ITransactionalState<TState>
        where TState : class, new()
    {
        private TState? _last;

        public Task<TResult> PerformRead<TResult>(Func<TState, TResult> readFunction) =>
            inner.PerformRead(
                state => readFunction(mistake == Mistake.KeepsAborted && _last is { } last ? last : state));

        public Task<TResult> PerformUpdate<TResult>(Func<TState, TResult> updateFunction) =>
            inner.PerformUpdate(state =>
            {
                if (mistake == Mistake.StaleUpdate) Copy(new TState(), state);
                var result = updateFunction(state);
                Copy(state, _last = new TState());
                return result;
            });

        private static void Copy(TState from, TState to)
        {
            if (from is not Stamped<Balance> source || to is not Stamped<Balance> target) return;
            target.Value = new Balance { Cents = source.Value.Cents, Notes = [.. source.Value.Notes] };
            (target.Stamp, target.Recording) = (source.Stamp, source.Recording);
        }
    }
}
