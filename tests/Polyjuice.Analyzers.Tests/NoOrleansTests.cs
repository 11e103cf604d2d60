using Microsoft.CodeAnalysis.Diagnostics;
using Polyjuice.Analyzers.Accesses;
using Polyjuice.Analyzers.Bodies;

namespace Polyjuice.Analyzers.Tests;

public class NoOrleansTests
{
    // Names are not what decides.
    private const string Code = """
        public interface ITransactionalState<T>
        {
            Task<TResult> PerformRead<TResult>(Func<T, TResult> read);
        }

        public sealed class Money
        {
            public long Cents { get; set; }
        }

        public sealed class Account(ITransactionalState<Money> money)
        {
            private Money? _kept;

            public async Task<Money?> Run()
            {
                _ = money.PerformRead(async state => await Task.Yield());
                _ = money.PerformRead(state => _kept = state);
                await money.PerformRead(state => state.Cents++);
                var copy = await money.PerformRead(state => state);
                copy.Cents++;
                await money.PerformRead(state => money.PerformRead(other => other).Result);
                Console.WriteLine(1);
                return _kept;
            }
        }
        """;

    [Fact]
    public async Task Nothing_is_said_where_Orleans_is_not_referenced()
    {
        await Judge<AsynchronousFunctionAnalyzer>();
        await Judge<BlockingFunctionAnalyzer>();
        await Judge<CallInFunctionAnalyzer>();
        await Judge<ChangedCopyAnalyzer>();
        await Judge<ChangingReadAnalyzer>();
        await Judge<KeptStateAnalyzer>();
        await Judge<RepeatedEffectAnalyzer>();
        await Judge<UnobservedAccessAnalyzer>();

        static async Task Judge<TAnalyzer>()
            where TAnalyzer : DiagnosticAnalyzer, new() => await Compiled.IsJudgedWithoutOrleansAsync<TAnalyzer>(Code);
    }
}
