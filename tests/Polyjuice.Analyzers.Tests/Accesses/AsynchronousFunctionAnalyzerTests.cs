using Microsoft.CodeAnalysis;
using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class AsynchronousFunctionAnalyzerTests
{
    [Theory]
    [InlineData("purse.{|PJ0003:PerformUpdate|}(async state => { await Task.Yield(); state.Cents++; })")]
    [InlineData("purse.{|PJ0003:PerformUpdate|}(async (Purse state) => { await Task.Yield(); return state.Cents; })")]
    [InlineData("purse.{|PJ0003:PerformRead|}(async state => await Task.FromResult(state.Cents))")]
    [InlineData("purse.{|PJ0003:PerformRead|}(state => Task.FromResult(state.Cents))")]
    [InlineData("purse.{|PJ0003:PerformRead|}(state => ValueTask.FromResult(state.Cents))")]
    [InlineData("purse.{|PJ0003:PerformRead|}(state => ValueTask.CompletedTask)")]
    [InlineData("purse.{|PJ0003:PerformUpdate|}<Task>(state => { state.Cents++; return Task.CompletedTask; })")]
    [InlineData("purse.{|PJ0003:PerformUpdate|}(LaterAsync)")]
    [InlineData("purse.{|PJ0003:PerformUpdate|}((Action<Purse>)(async state => await Task.Yield()))")]
    [InlineData("purse.{|PJ0003:PerformUpdate|}(Never)")]
    public async Task A_function_that_is_asynchronous_is_reported_at_the_name_of_the_access(string access) =>
        await Compiled.IsJudgedInGrainAsync<AsynchronousFunctionAnalyzer>($$"""
            public Task Test() => {{access}};

            private static async Task<long> LaterAsync(Purse state)
            {
                await Task.Yield();
                return state.Cents;
            }

            private static async void Never(Purse state)
            {
                await Task.Yield();
                state.Cents++;
            }
            """);

    [Fact]
    public async Task A_local_function_a_delegate_and_a_state_that_may_be_missing_are_no_other_case()
    {
        await Compiled.IsJudgedInGrainAsync<AsynchronousFunctionAnalyzer>("""
            public async Task Test(ITransactionalState<Purse>? other)
            {
                async Task Later(Purse state)
                {
                    await Task.Yield();
                    state.Cents++;
                }

                Func<Purse, Task<int>> later = state => Task.FromResult(1);
                await purse.{|PJ0003:PerformUpdate|}(Later);
                await purse.{|PJ0003:PerformRead|}(later);
                if (other?.{|PJ0003:PerformRead|}(later) is { } read) await read;
                await TransactionalStateExtensions.{|PJ0003:PerformUpdate|}(purse, async state => await Task.Yield());
            }
            """);
    }

    [Theory]
    [InlineData("purse.PerformUpdate(state => { state.Cents++; })")]
    [InlineData("purse.PerformUpdate(state => state.Cents++)")]
    [InlineData("purse.PerformRead(state => state.Cents)")]
    [InlineData("purse.PerformRead(Cents)")]
    [InlineData("purse.PerformRead(state => new Func<Task>(() => Task.CompletedTask))")]
    [InlineData("purse.PerformRead(state => new List<Task>())")]
    [InlineData("new Other().PerformRead(async state => await Task.Yield())")]
    public async Task Others_are_not_reported(string access) =>
        await Compiled.IsJudgedInGrainAsync<AsynchronousFunctionAnalyzer>($$"""
            public Task Test() => {{access}};

            private static long Cents(Purse state) => state.Cents;

            private sealed class Other
            {
                public Task<T> PerformRead<T>(Func<Purse, T> read) => Task.FromResult(read(new Purse()));
            }
            """);

    [Fact]
    public async Task It_is_an_error_that_names_the_access()
    {
        var found = await Compiled.IsJudgedInGrainAsync<AsynchronousFunctionAnalyzer>(
            "public Task Test() => purse.{|PJ0003:PerformRead|}(async state => await Task.Yield());");
        Assert.Equal(DiagnosticSeverity.Error, found[0].Severity);
        Assert.Contains("Give PerformRead a function", found[0].GetMessage(null), StringComparison.Ordinal);
    }
}
