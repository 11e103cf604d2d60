using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class BlockingFunctionAnalyzerTests
{
    [Theory]
    [InlineData("{|PJ0004:_other.Wait()|}")]
    [InlineData("{|PJ0004:_other.Wait(TimeSpan.FromSeconds(1))|}")]
    [InlineData("state.Cents = {|PJ0004:_other.Result|}")]
    [InlineData("state.Cents += {|PJ0004:_value.Result|}")]
    [InlineData("state.Cents = {|PJ0004:_other.GetAwaiter().GetResult()|}")]
    [InlineData("state.Cents = {|PJ0004:_other.ConfigureAwait(false).GetAwaiter().GetResult()|}")]
    [InlineData("state.Cents = {|PJ0004:_value.GetAwaiter().GetResult()|}")]
    [InlineData("{|PJ0004:Task.WaitAll(_other)|}")]
    [InlineData("{|PJ0004:Task.WaitAny(_other)|}")]
    [InlineData("{|PJ0004:Thread.Sleep(1)|}")]
    [InlineData("{|PJ0004:new Thread(() => { }).Join()|}")]
    [InlineData("{|PJ0004:_gate.Wait()|}")]
    [InlineData("{|PJ0004:_event.WaitOne()|}")]
    [InlineData("if (state.Cents > 0) { while (true) {|PJ0004:Thread.Sleep(1)|}; }")]
    public async Task A_wait_for_a_task_or_a_thread_is_reported_where_it_is(string statement) =>
        await Compiled.IsJudgedInGrainAsync<BlockingFunctionAnalyzer>(Members(statement));

    [Theory]
    [InlineData("state.Cents++")]
    [InlineData("_gate.Wait(0)")]
    [InlineData("_event.WaitOne(0)")]
    [InlineData("state.Owner = nameof(_other.Result)")]
    [InlineData("state.Cents = _holder.Result")]
    [InlineData("_holder.Wait()")]
    [InlineData("Task.Run(() => Thread.Sleep(1))")]
    [InlineData("Func<long> later = () => _other.Result")]
    [InlineData("lock (_gate) state.Cents++")]
    public async Task What_does_not_wait_for_certain_is_not_reported(string statement) =>
        await Compiled.IsJudgedInGrainAsync<BlockingFunctionAnalyzer>(Members(statement));

    [Fact]
    public async Task The_result_of_a_task_that_was_awaited_before_is_not_reported()
    {
        await Compiled.IsJudgedInGrainAsync<BlockingFunctionAnalyzer>("""
            public async Task Test(Task<long> first, Task<long> second, Task<long> third)
            {
                var fourth = Task.FromResult(4L);
                await Task.WhenAll(first, fourth);
                await second;
                await purse.PerformUpdate(state =>
                {
                    state.Cents = first.Result + second.Result + fourth.GetAwaiter().GetResult();
                    state.Cents += {|PJ0004:third.Result|};
                });
                await third;
            }
            """);
    }

    [Fact]
    public async Task What_is_outside_of_the_function_is_not_reported()
    {
        await Compiled.IsJudgedInGrainAsync<BlockingFunctionAnalyzer>("""
            public long Test(Task<long> other)
            {
                Thread.Sleep(1);
                return purse.PerformRead(state => state.Cents).Result + other.Result;
            }
            """);
    }

    [Fact]
    public async Task A_method_or_local_function_is_reported_where_it_is_given_to_the_access()
    {
        await Compiled.IsJudgedInGrainAsync<BlockingFunctionAnalyzer>("""
            public async Task Test()
            {
                long Local(Purse state)
                {
                    Thread.Sleep(1);
                    return state.Cents;
                }

                await purse.PerformRead({|PJ0004:Local|});
                await purse.PerformRead({|PJ0004:Slow|});
                await purse.PerformUpdate({|PJ0004:this.SlowToo|});
                await purse.PerformRead(Quick);
            }

            private static long Slow(Purse state)
            {
                Task.Delay(1).Wait();
                return state.Cents;
            }

            private void SlowToo(Purse state) => Thread.Sleep(1);

            private static long Quick(Purse state) => state.Cents;
            """);
    }

    [Fact]
    public async Task The_message_names_what_waits()
    {
        var members = Members("{|PJ0004:Thread.Sleep(1)|}");
        var found = await Compiled.IsJudgedInGrainAsync<BlockingFunctionAnalyzer>(members);
        Assert.Contains("not by Sleep within", found[0].GetMessage(null), StringComparison.Ordinal);
    }

    private static string Members(string statement) => $$"""
        private readonly Task<long> _other = Task.FromResult(1L);
        private readonly ValueTask<long> _value = new(1);
        private readonly SemaphoreSlim _gate = new(1);
        private readonly AutoResetEvent _event = new(false);
        private readonly Holder _holder = new();

        public Task Test() => purse.PerformUpdate(state =>
        {
            {{statement}};
        });

        private sealed class Holder
        {
            public long Result => 1;

            public void Wait()
            {
            }
        }
        """;
}
