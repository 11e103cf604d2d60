using Polyjuice.Wire;

namespace Polyjuice.Partitions;

/// <summary>Who hears of the protocol's steps, for parts that take few of them.</summary>
internal static class EngineEvents
{
    extension(EngineContext context)
    {
        /// <summary>Who hears of them, if anybody does.</summary>
        public IProtocolEvents? Events => context.Listener is { } listener ? (IProtocolEvents)listener : null;
    }
}
