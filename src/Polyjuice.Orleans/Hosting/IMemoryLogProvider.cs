using Polyjuice.Storage;

namespace Polyjuice.Orleans;

/// <summary>Logs that end with the process: states that are forgotten with it lose nothing beside them.</summary>
internal interface IMemoryLogProvider : ILogStoreProvider;
