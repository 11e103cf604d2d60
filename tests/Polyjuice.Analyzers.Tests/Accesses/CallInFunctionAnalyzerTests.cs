using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class CallInFunctionAnalyzerTests
{
    [Theory]
    [InlineData("_ = {|PJ0005:other.Run()|}")]
    [InlineData("{|PJ0005:GrainFactory.GetGrain<IPurse>(1).Run()|}.Ignore()")]
    [InlineData("{|PJ0005:_concrete.Run()|}.Ignore()")]
    [InlineData("if (state.Cents > 0) state.Cents = {|PJ0005:other.Run()|}.Result")]
    [InlineData("var task = {|PJ0005:this.AsReference<IPurse>().Run()|}")]
    [InlineData("{|PJ0005:watcher.Seen(1)|}")]
    [InlineData("{|PJ0005:second.PerformRead(inner => inner.Cents)|}.Ignore()")]
    [InlineData("{|PJ0005:second.PerformUpdate(inner => { inner.Cents++; })|}.Ignore()")]
    public async Task A_call_of_a_grain_or_an_access_is_reported_where_it_is(string statement) =>
        await Compiled.IsJudgedAsync<CallInFunctionAnalyzer>(Grain(statement));

    [Theory]
    [InlineData("state.Cents++")]
    [InlineData("var grain = GrainFactory.GetGrain<IPurse>(1)")]
    [InlineData("state.Cents = other.GetPrimaryKeyLong()")]
    [InlineData("state.Owner = nameof(other.Run)")]
    [InlineData("Helper()")]
    [InlineData("((IPurse)this).Run()")]
    [InlineData("plain.Run()")]
    [InlineData("Func<Task> later = () => other.Run()")]
    public async Task Others_are_not_reported(string statement) =>
        await Compiled.IsJudgedAsync<CallInFunctionAnalyzer>(Grain(statement));

    [Fact]
    public async Task A_call_before_or_after_the_access_is_not_reported()
    {
        await Compiled.IsJudgedInGrainAsync<CallInFunctionAnalyzer>("""
            public async Task Test(IPurse other)
            {
                var cents = await other.Run();
                await purse.PerformUpdate(state => { state.Cents = cents; });
                await other.Run();
            }
            """);
    }

    [Fact]
    public async Task A_method_is_reported_where_it_is_given_to_the_access()
    {
        await Compiled.IsJudgedInGrainAsync<CallInFunctionAnalyzer>("""
            public Task Test() => purse.PerformUpdate({|PJ0005:Call|});

            private void Call(Purse state) => GrainFactory.GetGrain<IPurse>(state.Cents).Run();
            """);
    }

    [Fact]
    public async Task The_message_names_the_method()
    {
        var found = await Compiled.IsJudgedAsync<CallInFunctionAnalyzer>(Grain("{|PJ0005:other.Run()|}.Ignore()"));
        Assert.StartsWith("Call Run in the grain's method", found[0].GetMessage(null), StringComparison.Ordinal);
    }

    private static string Grain(string statement) => $$"""
        public interface IPlain
        {
            Task Run();
        }

        public interface IWatcher : IGrainObserver
        {
            void Seen(long cents);
        }

        public interface IMore : IPurse
        {
            Task More();
        }

        [Reentrant]
        public sealed class G(
            [TransactionalState("a")] ITransactionalState<Purse> purse,
            [TransactionalState("b")] ITransactionalState<Purse> second) : Grain, IPurse
        {
            private readonly IMore _concrete = null!;

            public Task Test(IPurse other, IPlain plain, IWatcher watcher) => purse.PerformUpdate(state =>
            {
                {{statement}};
            });

            public Task<long> Run() => second.PerformRead(state => state.Cents);

            private void Helper() => _concrete.ToString();
        }
        """;
}
