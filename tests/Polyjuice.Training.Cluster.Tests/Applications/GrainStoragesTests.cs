using Orleans;
using Orleans.Providers;
using Orleans.Runtime;
using Polyjuice.Training.Cluster.Applications;

namespace Polyjuice.Training.Cluster.Tests.Applications;

public sealed class GrainStoragesTests
{
    [Fact]
    public void Those_of_all_states_that_are_not_transactional_are_found() =>
        Assert.Equal(["Default", "named", "profiles"], GrainStorages.NamesIn([typeof(GrainStoragesTests).Assembly]));

    [Fact]
    public void Transactional_states_need_none() =>
        Assert.Empty(GrainStorages.NamesIn(RecordedBank.Application.Assemblies));

    private sealed class Profile(
        [PersistentState("profile", "profiles")] IPersistentState<int> state,
        [PersistentState("other")] IPersistentState<int> other) : IGrain
    {
        public int Sum => state.State + other.State;
    }

    [StorageProvider(ProviderName = "named")]
    private sealed class Named : Grain<int>, IGrain;

    private abstract class Abstract([PersistentState("state", "none")] IPersistentState<int> state) : IGrain
    {
        public int State => state.State;
    }
}
