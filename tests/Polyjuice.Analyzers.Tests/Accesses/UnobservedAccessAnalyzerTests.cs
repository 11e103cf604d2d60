using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class UnobservedAccessAnalyzerTests
{
    [Fact]
    public async Task An_access_whose_task_is_thrown_away_is_reported_at_its_name()
    {
        await Compiled.IsJudgedInGrainAsync<UnobservedAccessAnalyzer>("""
            public Task First()
            {
                purse.{|PJ0009:PerformUpdate|}(state => { state.Cents++; });
                return Task.CompletedTask;
            }

            public void Second() => purse.{|PJ0009:PerformUpdate|}(state => state.Cents++);

            public async Task Third()
            {
                _ = purse.{|PJ0009:PerformRead|}(state => state.Cents);
                purse.{|PJ0009:PerformRead|}(state => state.Cents).Ignore();
                purse.{|PJ0009:PerformUpdate|}(state => { state.Cents++; }).Ignore();
                await Task.Yield();
            }

            public void Fourth(List<long> amounts)
            {
                amounts.ForEach(amount => purse.{|PJ0009:PerformUpdate|}(state => { state.Cents += amount; }));
                void Local() => purse.{|PJ0009:PerformRead|}(state => state.Cents);
                Local();
            }

            public async Task Fifth(List<long> amounts)
            {
                amounts.ForEach(amount => { purse.{|PJ0009:PerformUpdate|}(state => { state.Cents += amount; }); });
                await Task.Yield();
            }
            """);
    }

    [Fact]
    public async Task What_is_awaited_returned_or_kept_is_not()
    {
        await Compiled.IsJudgedInGrainAsync<UnobservedAccessAnalyzer>("""
            public async Task First()
            {
                await purse.PerformUpdate(state => { state.Cents++; });
                await purse.PerformUpdate(state => { state.Cents++; }).ConfigureAwait(true);
                _ = await purse.PerformRead(state => state.Cents);
                GrainFactory.GetGrain<IPurse>(await purse.PerformRead(state => state.Cents)).Run().Ignore();
                var read = purse.PerformRead(state => state.Cents);
                await Task.WhenAll(read, purse.PerformUpdate(state => { state.Cents++; }));
            }

            public Task Second() => purse.PerformUpdate(state => { state.Cents++; });

            public Task<long> Third()
            {
                return purse.PerformRead(state => state.Cents);
            }

            public Task Fourth(List<long> amounts) =>
                Task.WhenAll(amounts.Select(amount => purse.PerformUpdate(state => { state.Cents += amount; })));
            """);
    }

    // CS4014 does.
    [Fact]
    public async Task What_the_compiler_reports_is_not()
    {
        await Compiled.IsJudgedInGrainAsync<UnobservedAccessAnalyzer>("""
            public async Task First()
            {
                purse.PerformUpdate(state => { state.Cents++; });
                Func<Task> later = async () =>
                {
                    purse.PerformRead(state => state.Cents);
                    await Task.Yield();
                };
                await later();
            }
            """);
    }
}
