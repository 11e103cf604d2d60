using Microsoft.Extensions.Logging.Abstractions;
using Polyjuice.Diagnostics;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Tests.Policies;

public sealed class ProcessPolicyActionsTests
{
    private readonly PolicyStore _policies = new(new SiteRegistry(), BuiltinPolicies.Get("occ"));
    private readonly ProcessPolicyActions _actions;

    public ProcessPolicyActionsTests()
    {
        var inspection = new EngineInspection(_policies);
        _actions = new ProcessPolicyActions(
            _policies, inspection, new PolicyDates(inspection, TimeProvider.System),
            NullLogger<ProcessPolicyActions>.Instance);
        _policies.Swap(BuiltinPolicies.Get("ic3"));
    }

    [Fact]
    public async Task A_rollback_is_a_swap_with_a_note_of_who_and_why()
    {
        var made = await _actions.RollBackAsync(new PolicyRollback(1, 2, "too slow", "olivia"), CancellationToken.None);
        Assert.Equal((3, "occ"), (made.Number, made.Name));
        Assert.Equal("occ", _policies.Current.Name);
        var history = await _actions.GetHistoryAsync(CancellationToken.None);
        Assert.Equal(["occ", "ic3", "occ"], history.Select(version => version.Name));
        Assert.Equal("back to version 1 by olivia: too slow", history[^1].Note);
        Assert.All(history, version => Assert.NotNull(version.Since));
    }

    [Theory]
    [InlineData(9, 2, "no version 9")]
    [InlineData(1, 1, "not in force any more")]
    public async Task What_is_refused_changes_nothing(long to, long from, string expected)
    {
        var exception = await Assert.ThrowsAsync<PolicyActionException>(
            async () => await _actions.RollBackAsync(
                new PolicyRollback(to, from, "why", "who"), CancellationToken.None));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.Equal(2, _policies.History.Count);
    }
}
